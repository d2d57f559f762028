import type { JSX } from "preact";
import { t } from "../translation";
import { LEAST_LABELLED, percentages, spokenBar, type Results } from "./bars";

/** The head of a column of bars, short where there is little room. */
export const BarTitle = (): JSX.Element => (
  <>
    <span class="wide">{t("White · Draw · Black")}</span>
    <span class="narrow" title={t("White · Draw · Black")}>
      {t("W · D · B")}
    </span>
  </>
);

/** How games went: White, drawn, Black. */
export function Bar({ results }: { results: Results }): JSX.Element {
  const parts = percentages(results);
  return (
    <span class="bar" role="img" aria-label={spokenBar(results)}>
      {(["w", "d", "b"] as const).map((name, index) => (
        <i key={name} class={name} style={{ width: `${parts[index]!}%` }}>
          {parts[index]! >= LEAST_LABELLED && `${parts[index]!}%`}
        </i>
      ))}
    </span>
  );
}
