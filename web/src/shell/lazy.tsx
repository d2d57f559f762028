/** Components that are loaded when they are first shown. */

import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../state";

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  return function Lazy(): JSX.Element | null {
    const [, loadedNow] = useState(loaded !== null);
    useEffect(() => {
      let isWanted = true;
      if (loaded === null) {
        load().then((component) => {
          loaded = component;
          if (isWanted) {
            loadedNow(true);
          }
        }, report);
      }
      return () => void (isWanted = false);
    }, []);
    const Shown = loaded;
    return Shown && <Shown />;
  };
}
