// The texts of the page first: modules may need them as soon as they are evaluated.
import { chosenLanguage, languageOf, loadTranslation } from "./translation";

await loadTranslation(languageOf(chosenLanguage(), navigator.languages)).catch(() => undefined);
await import("./start");
