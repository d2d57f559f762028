import type { JSX } from "preact";
import knight from "./icon.svg";
import { SourceSwitch } from "../sources/SourceSwitch";
import { formatRoute, go, route, THEMES, theme, type Tab } from "../state";
import { t } from "../translation";
import type { Panel } from "./panel";

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

const THEME_NAMES = { auto: "as the system", light: "light", dark: "dark" };

function ThemeButton(): JSX.Element {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
  const name = `Colours: ${THEME_NAMES[theme.value]}; change to ${THEME_NAMES[next]}`;
  return (
    <button type="button" class="plain" title={name} aria-label={name} onClick={() => (theme.value = next)}>
      {theme.value === "auto" ? "◐" : theme.value === "light" ? "○" : "●"}
    </button>
  );
}

export function Header({ panels, current }: { panels: readonly Panel[]; current: Panel }): JSX.Element {
  const tab = route.value.tab;
  return (
    <header class="header">
      <a class="skip" href="#main" onClick={(event) => skip(event)}>
        Skip to the content
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
      <nav aria-label="Rooms">
        <TabLink tab="board" title="Board" current={tab === "board"} />
        {panels.map((panel) => (
          <TabLink key={panel.tab} tab={panel.tab} title={panel.title} current={panel === current && tab !== "board"} />
        ))}
      </nav>
      <SourceSwitch />
      <ThemeButton />
    </header>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.querySelector<HTMLElement>("a, button, input, select, [tabindex]")?.focus();
}
