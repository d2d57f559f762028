import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../translation";
import type { Format } from "./state";

export interface OptionsProps {
  format: Format;
  profile: Signal<string>;
  options: Signal<Record<string, string | number | boolean>>;
}

const PROFILES: Readonly<Record<string, string>> = { plain: t("only what other programs read") };
const TITLES: Readonly<Record<string, string>> = {
  dialect: t("Dialect"),
  profile: t("Profile"),
  layout: t("Layout"),
  encoding: t("Code page"),
  title: t("Title"),
  description: t("Description"),
  level: t("Compression level"),
  headerless: t("Without tags"),
  reference: t("The same bytes as the format's own program"),
  collection: t("Collection"),
  create: t("Create the database"),
  positions: t("Position index"),
  variations: t("Index variations as well"),
};

function titleOf(name: string): string {
  const words = name.replace(/[-_]/g, " ");
  return TITLES[name] ?? words[0]!.toUpperCase() + words.slice(1);
}

/** What can be chosen about a format; most people need none of it. */
export function Options({ format, profile, options }: OptionsProps): JSX.Element | null {
  const profiles = format.profiles ?? [];
  const all = (format.options ?? []).filter(({ name }) => name !== "profile" || profiles.length === 0);
  const set = (name: string, value: string | number | boolean): void => {
    const { [name]: _, ...others } = options.peek();
    options.value = value === "" ? others : { ...others, [name]: value };
  };
  return (
    <>
      {profiles.length > 0 && (
        <label class="field">
          <span>{t("Profile")}</span>
          <select value={profile.value} onChange={(event) => (profile.value = event.currentTarget.value)}>
            <option value="">{t("everything")}</option>
            {profiles.map(({ name, title }) => (
              <option key={name} value={name}>
                {PROFILES[name] ?? title ?? name}
              </option>
            ))}
          </select>
        </label>
      )}
      {all.length > 0 && (
        <details>
          <summary>{t("Options")}</summary>
          <div class="fields">
            {all.map(({ name, help, kind, on = false }) =>
              kind === "flag" ? (
                <label key={name} class="tick" title={help}>
                  <input
                    type="checkbox"
                    checked={(options.value[name] ?? on) === true}
                    onChange={(event) => set(name, event.currentTarget.checked)}
                  />
                  {titleOf(name)}
                </label>
              ) : (
                <label key={name} class="field" title={help}>
                  <span>{titleOf(name)}</span>
                  <input
                    inputMode={kind === "number" ? "numeric" : undefined}
                    value={String(options.value[name] ?? "")}
                    onChange={({ currentTarget: { value } }) => set(name, kind === "number" && value ? Number(value) : value)}
                  />
                </label>
              ),
            )}
          </div>
        </details>
      )}
    </>
  );
}
