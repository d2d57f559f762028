/** Blocks of a guiding text, drawn. Everything from the file goes into text nodes. */

import type { ComponentChildren, JSX } from "preact";
import { MiniBoard } from "../board/MiniBoard";
import { Picture } from "../shell/Picture";
import { LongText } from "../shell/text";
import { openPosition } from "../state";
import { t } from "../translation";
import { followReference } from "./references";
import { partsOf, safeColor, safeLink, safeMedia, type Block, type Span } from "./blocks";

export function Blocks({ blocks }: { blocks: readonly Block[] }): JSX.Element {
  return (
    <>
      {partsOf(blocks).map((part, index) => {
        if ("block" in part) {
          return <OneBlock key={index} block={part.block} />;
        }
        const List = part.ordered ? "ol" : "ul";
        return (
          <List key={index}>
            {part.items.map((item, place) => (
              <li key={place} style={{ marginLeft: `${((item.depth ?? 1) - 1) * 20}px` }}>
                <Spans spans={item.spans} />
              </li>
            ))}
          </List>
        );
      })}
    </>
  );
}

const ALIGNED = new Set(["left", "right", "center", "justify"]);

function OneBlock({ block }: { block: Block }): JSX.Element | null {
  const spans = <Spans spans={block.spans} />;
  const style = block.align && ALIGNED.has(block.align) ? { textAlign: block.align as "left" } : undefined;
  switch (block.type) {
    case "heading": {
      const Heading = block.level === 1 ? "h1" : block.level === 2 ? "h2" : "h3";
      return <Heading style={style}>{spans}</Heading>;
    }
    case "quote":
      return <blockquote>{spans}</blockquote>;
    case "code":
      return <pre>{spans}</pre>;
    case "rule":
      return <hr />;
    case "diagram":
      return <Diagram fen={block.fen ?? ""}>{spans}</Diagram>;
    case "picture":
    case "video":
    case "audio":
      return <Media block={block} />;
    case "table":
      return <Table rows={block.rows ?? []} />;
    default:
      return <p style={style}>{spans}</p>;
  }
}

function Diagram({ fen, children }: { fen: string; children: ComponentChildren }): JSX.Element {
  return (
    <figure>
      <button type="button" class="plain diagram" title={t("Show on the board")} onClick={() => openPosition(fen)}>
        <MiniBoard fen={fen} size="240px" />
      </button>
      <figcaption>{children}</figcaption>
    </figure>
  );
}

function Media({ block: { type, url, text } }: { block: Block }): JSX.Element | null {
  const source = safeMedia(url);
  if (!source) {
    return <p class="soft">{text ? `[${text}]` : `[${type}]`}</p>;
  }
  if (type === "picture") {
    return (
      <figure>
        <Picture url={source} name={text ?? ""} />
      </figure>
    );
  }
  return type === "video" ? <video src={source} controls /> : <audio src={source} controls />;
}

function Table({ rows }: { rows: Span[][][] }): JSX.Element {
  return (
    <div class="table">
      <table>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>
                  <Spans spans={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Spans({ spans = [] }: { spans?: readonly Span[] | undefined }): JSX.Element {
  return (
    <>
      {spans.map((span, index) => (
        <OneSpan key={index} span={span} />
      ))}
    </>
  );
}

function OneSpan({ span }: { span: Span }): JSX.Element {
  if (span.break) {
    return <br />;
  }
  let shown: JSX.Element = <LongText text={span.text ?? ""} />;
  const color = safeColor(span.color);
  if (span.code) {
    shown = <code>{shown}</code>;
  }
  if (span.bold) {
    shown = <b>{shown}</b>;
  }
  if (span.italic) {
    shown = <i>{shown}</i>;
  }
  if (span.underline) {
    shown = <u>{shown}</u>;
  }
  if (color) {
    shown = (
      <span class="colored" style={{ "--text": color } as never}>
        {shown}
      </span>
    );
  }
  const { to } = span;
  if (to) {
    return (
      <button type="button" class="reference" onClick={() => void followReference(to)}>
        {shown}
      </button>
    );
  }
  const link = safeLink(span.link);
  if (link) {
    return (
      <a href={link} target="_blank" rel="noopener noreferrer" title={link}>
        {shown}
      </a>
    );
  }
  return shown;
}
