/** Kinds of endings by name, so that nobody has to know how material is written. */

import { t } from "../translation";

/** Each with its material; what may be the other way round is there twice. */
export const ENDINGS: readonly (readonly [name: string, material: readonly string[]])[] = [
  [t("Pawn endings"), ["KP+KP*", "KKP+"]],
  [t("Rook endings"), ["KRP*KRP*"]],
  [t("Rook and pawn against rook"), ["KRPKR", "KRKRP"]],
  [t("Rook against pawns"), ["KRKP+", "KP+KR"]],
  [t("Rook against bishop"), ["KRP*KBP*", "KBP*KRP*"]],
  [t("Rook against knight"), ["KRP*KNP*", "KNP*KRP*"]],
  [t("Two rooks each"), ["KRRP*KRRP*"]],
  [t("Queen endings"), ["KQP*KQP*"]],
  [t("Queen against rook"), ["KQP*KRP*", "KRP*KQP*"]],
  [t("Bishop endings"), ["KBP*KBP*"]],
  [t("Knight endings"), ["KNP*KNP*"]],
  [t("Bishop against knight"), ["KBP*KNP*", "KNP*KBP*"]],
  [t("Bishop and knight against the king"), ["KBNK", "KKBN"]],
];

/** The name of the ending whose material this is; nothing if it is none of them. */
export function endingOf(material: readonly string[]): string {
  return ENDINGS.find(([, each]) => each.join() === material.join())?.[0] ?? "";
}
