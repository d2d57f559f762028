import type { JSX } from "preact";
import { panel as books } from "../books";
import { CollectDialog } from "../collect/CollectDialog";
import { panel as convert } from "../convert";
import { EnginePanel } from "../engine";
import { Explorer } from "../explorer";
import { BoardColumn } from "../game/BoardColumn";
import { Notation } from "../game/Notation";
import { panel as games } from "../games";
import { panel as home } from "../home";
import { panel as players } from "../players";
import { panel as search } from "../search";
import { panel as setup } from "../setup";
import { panel as statistics } from "../statistics";
import { DropTarget } from "../sources/DropTarget";
import { game, listWidth, notationWidth, route } from "../state";
import { panel as texts, TextView } from "../texts";
import { panel as tournaments } from "../tournaments";
import { t } from "../translation";
import { Divider } from "./Divider";
import { Header } from "./Header";
import { Notices } from "./Notices";
import type { Panel } from "./panel";

const PANELS: readonly Panel[] = [
  home,
  games,
  players,
  tournaments,
  statistics,
  search,
  setup,
  books,
  texts,
  convert,
];

/** The panel of the current tab; “board” shows the games beside it where there is room. */
function currentPanel(): Panel {
  return PANELS.find(({ tab }) => tab === route.value.tab) ?? games;
}

/** The widths that were chosen, for the style sheet. */
function chosenWidths(): { style: Record<string, string>; "data-chosen": string } {
  const chosen = Object.entries({ list: listWidth.value, notation: notationWidth.value }).filter(([, width]) => width !== null);
  return {
    style: Object.fromEntries(chosen.map(([column, width]) => [`--chosen-${column}`, `${width}px`])),
    "data-chosen": chosen.map(([column]) => column).join(" "),
  };
}

function Columns({ panel }: { panel: Panel }): JSX.Element {
  const isText = game.value.kind === "text";
  return (
    <main class="columns" data-tab={route.value.tab === "board" ? "board" : "panel"} id="main" {...chosenWidths()}>
      <section class="card side" aria-label={panel.title} key={panel.tab}>
        <h1 class="unseen">{panel.title}</h1>
        <panel.Component />
      </section>
      <Divider column="list" />
      {isText ? (
        <section class="card text" aria-label={t("Text")}>
          <TextView />
        </section>
      ) : (
        <>
          <section class="card middle" aria-label={t("Board")}>
            <BoardColumn />
          </section>
          <Divider column="notation" />
          <section class="card notation" aria-label={t("Game")}>
            <EnginePanel />
            <Notation />
            <Explorer />
          </section>
        </>
      )}
    </main>
  );
}

export function App(): JSX.Element {
  const panel = currentPanel();
  return (
    <>
      <Header panels={PANELS} current={panel} />
      {panel.place === "whole" && route.value.tab !== "board" ? (
        <main class="whole card" id="main" key={panel.tab}>
          <h1 class="unseen">{panel.title}</h1>
          <panel.Component />
        </main>
      ) : (
        <Columns panel={panel} />
      )}
      <CollectDialog />
      <Notices />
      <DropTarget />
    </>
  );
}
