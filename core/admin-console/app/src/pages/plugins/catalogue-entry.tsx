import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { CataloguePlugin } from '../../api/plugin-catalogue.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { AddPlugin } from './add-plugin.tsx';
import { texts as catalogueTexts } from './catalogue-texts.ts';

const TONES: Readonly<Record<CataloguePlugin['state'], Tone>> = {
  running: 'good',
  down: 'bad',
  'left out': 'bad',
  'not loaded': 'neutral',
};

/** A shipped plugin: its purpose, what it needs and provides, and how to add it. */
export function CatalogueEntry({ plugin }: { plugin: CataloguePlugin }) {
  const { module, title, purpose, needs, provides, state } = plugin;
  const texts = useTexts(catalogueTexts);
  return (
    <>
      <div className="page-line">
        <h2>{title}</h2>
        <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
      </div>
      <p>{purpose}</p>
      <dl className="facts">
        <div>
          <dt>{texts.package}</dt>
          <dd>
            <code>{module}</code>{' '}
            <a href={readmeOf(module)} target="_blank" rel="noreferrer">
              {texts.documentation} ↗
            </a>
          </dd>
        </div>
        <div>
          <dt>{texts.provides}</dt>
          <dd>
            {provides.map((provider) => (
              <div key={provider}>
                <code>{provider}</code>
              </div>
            ))}
          </dd>
        </div>
      </dl>
      {needs.length === 0 ? (
        <p className="help">{texts.noNeeds}</p>
      ) : (
        <>
          <h3>{texts.needs}</h3>
          <ul>
            {needs.map(({ right, reason }) => (
              <li key={right}>
                <code>{right}</code>: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {state === 'not loaded' ? (
        <AddPlugin plugin={plugin} />
      ) : (
        <p>
          <Link href={`/plugins/${encodeSegment(module)}`}>{texts.details(title)}</Link>
        </p>
      )}
    </>
  );
}

function readmeOf(module: string): string {
  return `https://github.com/keyhost/keyhost/tree/main/providers/${module.split('/').at(-1)}#readme`;
}
