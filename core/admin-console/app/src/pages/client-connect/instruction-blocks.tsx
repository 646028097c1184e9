import { Fragment } from 'react';
import type { InstructionBlock } from '../../api/apps.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { HIDDEN_SECRET } from './hidden-secret.ts';
import { texts as connectTexts } from './texts.ts';

/** The code of an app, with instructions. @param secret is hidden, but included when copied */
export function InstructionBlocks({ blocks, secret }: { blocks: readonly InstructionBlock[]; secret: string }) {
  const hideSecret = (text: string) => (secret === '' ? text : text.replaceAll(secret, HIDDEN_SECRET));
  return (
    <div className="card instructions">
      {blocks.map((block, at) => {
        const key = `${at} ${block.text}`;
        if (block.kind === 'code') return <Code key={key} text={block.text} shown={hideSecret(block.text)} at={at} />;
        if (block.kind === 'heading') return <h3 key={key}>{block.text}</h3>;
        const text = <MarkedUpText text={hideSecret(block.text)} />;
        if (block.kind === 'item') return <p key={key}>• {text}</p>;
        return (
          <p key={key} className={block.kind === 'note' ? 'notice' : undefined}>
            {text}
          </p>
        );
      })}
    </div>
  );
}

export function Code({ text, shown, at }: { text: string; shown: string; at: number }) {
  const texts = useTexts(connectTexts);
  return (
    <div className="copied-code">
      {/* Code that is wider than the page can also be scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled */}
      <section tabIndex={0} aria-label={texts.code(at + 1)}>
        <pre>
          <code>{shown}</code>
        </pre>
      </section>
      <CopyButton text={text} label={texts.code(at + 1)} />
    </div>
  );
}

const MARKUP = /`([^`]+)`|<(https?:\/\/[^>\s]+)>/g;

/** A text with `code` and <https://links>. */
function MarkedUpText({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(MARKUP)) {
    const [whole, code, link] = found;
    parts.push(<Fragment key={end}>{text.slice(end, found.index)}</Fragment>);
    end = found.index + whole.length;
    if (code !== undefined) parts.push(<code key={`${end}c`}>{code}</code>);
    else
      parts.push(
        <a key={`${end}l`} href={link} target="_blank" rel="noreferrer">
          {link}
        </a>,
      );
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
