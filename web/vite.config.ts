/// <reference types="vitest/config" />
import { defineConfig, loadEnv, type Plugin } from "vite";

const LICENSES = "assets/licenses.json";
/** A package of which the bundle has only files: Vite lists those whose code it has. */
const FONT = "node_modules/@fontsource-variable/inter";

/** Adds the font to the list of licences. */
const licenseOfTheFont: Plugin = {
  name: "license-of-the-font",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      const list = bundle[LICENSES];
      if (list?.type !== "asset") {
        this.error(`${LICENSES} is missing`);
      }
      const read = (file: string): Promise<string> => this.fs.readFile(`${FONT}/${file}`, { encoding: "utf8" });
      const { name, version, license } = JSON.parse(await read("package.json")) as Record<string, string>;
      const entry = { name, version, identifier: license, text: await read("LICENSE") };
      list.source = JSON.stringify([...(JSON.parse(String(list.source)) as unknown[]), entry], null, 2);
    },
  },
};

export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, ".", "TABIYA_")["TABIYA_SERVER"] ?? "http://127.0.0.1:8000";
  return {
    base: "/",
    plugins: [licenseOfTheFont],
    build: {
      outDir: "../src/tabiya/web/page",
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0, // files, which are cached for ever, and nothing that the Content-Security-Policy forbids
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: LICENSES }, // every package whose code is in the bundle; a test reads it
    },
    test: { css: true }, // a test computes contrasts
    server: { proxy: { "/api": server, "/explorer": server } },
  };
});
