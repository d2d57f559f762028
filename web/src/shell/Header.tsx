import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import knight from "./icon.svg";
import { SourceSwitch } from "../sources/SourceSwitch";
import { formatRoute, go, route, type Tab } from "../state";
import { t } from "../translation";
import type { Panel } from "./panel";
import { Settings } from "./Settings";

function TabLink({ tab, title, current }: { tab: Tab; title: string; current: boolean }): JSX.Element {
  return (
    <a
      href={formatRoute({ ...route.value, tab, parameters: {} })}
      class={tab === "board" ? "narrow-only" : undefined}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
          event.preventDefault();
          go({ tab, parameters: {} });
        }
      }}
    >
      {title}
    </a>
  );
}

const MARGIN = 16;

/** Scroll the row of places, and nothing else, until the current one is wholly in sight. */
function showCurrent(places: HTMLElement): void {
  const current = places.querySelector("[aria-current]")?.getBoundingClientRect();
  const { left, right } = places.getBoundingClientRect();
  if (current && current.right > right) {
    places.scrollLeft += current.right - right + MARGIN;
  } else if (current && current.left < left) {
    places.scrollLeft -= left - current.left + MARGIN;
  }
}

export function Header({ panels, current }: { panels: readonly Panel[]; current: Panel }): JSX.Element {
  const tab = route.value.tab;
  const places = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const row = places.current!;
    const observer = new ResizeObserver(() => showCurrent(row)); // letters become wider when their font arrives
    row.querySelectorAll("a").forEach((place) => observer.observe(place));
    return () => observer.disconnect();
  }, [tab]);
  return (
    <header class="header">
      <a class="skip" href="#main" onClick={(event) => skip(event)}>
        {t("Skip to the content")}
      </a>
      <a
        class="brand"
        href={formatRoute({ ...route.value, tab: "home", parameters: {} })}
        aria-label={t("tabiya, the start page")}
        onClick={(event) => {
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
            event.preventDefault();
            go({ tab: "home", parameters: {} });
          }
        }}
      >
        <img src={knight} alt="" width="22" height="22" />
        tabiya
      </a>
      <nav ref={places} aria-label={t("Pages")}>
        <TabLink tab="board" title={t("Board")} current={tab === "board"} />
        {panels.map((panel) => (
          <TabLink key={panel.tab} tab={panel.tab} title={panel.title} current={panel === current && tab !== "board"} />
        ))}
      </nav>
      <SourceSwitch />
      <Settings />
    </header>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.querySelector<HTMLElement>("a, button, input, select, [tabindex]")?.focus();
}
