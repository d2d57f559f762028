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

/** Bring a tab into sight where the row is too narrow for all: browsers leave what is half in sight. */
function toMiddle(row: HTMLElement, tab: HTMLElement): void {
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

export function Header({ panels, current }: { panels: readonly Panel[]; current: Panel }): JSX.Element {
  const tab = route.value.tab;
  const tabs = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const row = tabs.current!;
    const chosen = row.querySelector<HTMLElement>("[aria-current]");
    if (!chosen) {
      return undefined;
    }
    const observer = new ResizeObserver(() => toMiddle(row, chosen)); // letters become wider when their font arrives
    row.querySelectorAll("a").forEach((place) => observer.observe(place));
    toMiddle(row, chosen);
    return () => observer.disconnect();
  }, [tab, current]);
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
      <nav aria-label={t("Pages")} ref={tabs} onFocusIn={({ target }) => toMiddle(tabs.current!, target as HTMLElement)}>
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
