/** The part of cm-chessboard that the page uses; it has no types of its own. */

declare module "cm-chessboard/src/Chessboard.js" {
  export interface InputEvent {
    type: "moveInputStarted" | "movingOverSquare" | "validateMoveInput" | "moveInputCanceled" | "moveInputFinished";
    squareFrom: string;
    squareTo?: string | null;
    animate?: boolean;
  }

  export interface VisualMoveInput {
    view: View;
    draggablePiece: SVGSVGElement | null;
    createDraggablePiece(piece: string): void;
    moveDraggablePiece(x: number, y: number): void;
  }

  export interface View {
    readonly svg: SVGSVGElement;
    readonly markersLayer: SVGGElement;
    readonly markersTopLayer: SVGGElement;
    readonly squareWidth: number;
    readonly visualMoveInput: VisualMoveInput;
  }

  export class Chessboard {
    constructor(context: HTMLElement, props: object);
    readonly view: View;
    readonly positionAnimationsQueue: { readonly workingOnPromise: boolean };
    props: { style: { animationDuration: number } };
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setOrientation(color: "w" | "b", animated?: boolean): Promise<void>;
    getOrientation(): "w" | "b";
    enableMoveInput(handler: (event: InputEvent) => boolean | void): void;
    cancelMoveInput(): void;
    destroy(): void;
  }
}
