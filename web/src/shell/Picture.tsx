import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../translation";
import { plainName } from "./text";

/** The last part of an address. */
const fileOf = (url: string): string => decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));

/** A picture beside the database; where it is missing, its name instead of the broken icon of the browser. */
export function Picture({ url, name }: { url: string; name: string }): JSX.Element {
  const failed = useSignal<string | null>(null);
  if (failed.value === url) {
    return <span class="soft">{t("Missing picture: {name}", { name: plainName(name || fileOf(url)) })}</span>;
  }
  return <img src={url} alt={name || t("Picture")} loading="lazy" onError={() => (failed.value = url)} />;
}
