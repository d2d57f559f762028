/** Under the notation: what was played from the position on the board. */
export function Explorer() {
  return <p class="soft padded">Explorer</p>;
}
