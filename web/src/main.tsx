// The texts of the page first: modules may need them as soon as they are evaluated. And the font that they are written in.
import { loadFont } from "./shell/font";
import { chosenLanguage, languageOf, LANGUAGES, loadTranslation } from "./translation";

const language = languageOf(chosenLanguage(), navigator.languages);
await Promise.all([loadTranslation(language).catch(() => undefined), loadFont(`tabiya ${LANGUAGES[language]}`)]);
await import("./start");
