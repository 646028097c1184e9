import { Link } from 'wouter';
import type { CataloguePlugin } from '../../api/plugin-catalogue.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { texts as catalogueTexts } from './catalogue-texts.ts';

/** The command and the lines of plugins.json that add a plugin. */
export function AddPlugin({ plugin: { title, command, entry, needs } }: { plugin: CataloguePlugin }) {
  const texts = useTexts(catalogueTexts);
  return (
    <details>
      <summary aria-label={texts.addOf(title)}>{texts.add}</summary>
      <p>{texts.run}</p>
      <CopiedText text={command} label={texts.command(title)} />
      <p>{texts.lines}</p>
      <CopiedText text={JSON.stringify(entry, null, 2)} label={texts.entry(title)} />
      {needs.length > 0 && <p>{texts.grants}</p>}
      {entry.config !== undefined && <p>{texts.config}</p>}
      <p>
        {texts.loading} <Link href="/plugins">{texts.plugins}</Link> {texts.enable}
      </p>
    </details>
  );
}

function CopiedText({ text, label }: { text: string; label: string }) {
  return (
    <div className="copied-code">
      {/* Text that is wider than the page can also be scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={label} />
    </div>
  );
}
