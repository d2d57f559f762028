import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, ".", "TABIYA_")["TABIYA_SERVER"] ?? "http://127.0.0.1:8000";
  return {
    base: "/",
    build: {
      outDir: "../src/tabiya/web/page",
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0, // files, which are cached for ever, and nothing that the Content-Security-Policy forbids
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: "assets/licenses.json" }, // every package whose code is in the bundle; a test reads it
    },
    server: { proxy: { "/api": server, "/explorer": server } },
  };
});
