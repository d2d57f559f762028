// Colours and the shell first: panels may say otherwise.
import "./shell/theme.css";
import "./shell/shell.css";
import "./shell/print.css";
import { render } from "preact";
import { followMoves } from "./board/sounds";
import { installSprite } from "./board/sprite";
import { App } from "./shell/App";
import { followGame, followSettings } from "./shell/look";
import { followAddress, listenToAddress, loadSession } from "./state";

installSprite();
followSettings();
listenToAddress();
followAddress();
followGame();
followMoves();
void loadSession();
render(<App />, document.getElementById("page")!);
