import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type AppCatalogue, appCatalogue } from '../../api/apps.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { AppForm } from './app-form.tsx';
import { NO_VALUES } from './app-values.ts';
import { Choices } from './choices.tsx';
import { OtherClient } from './other-client.tsx';
import { texts as connectTexts } from './texts.ts';

const OTHER = 'other';
const NONE = 'none';

/** The wizard. Its step is part of the address, so that the browser's back button leads to the previous step. */
export default function ConnectPage({ realm }: { realm: string }) {
  const texts = useTexts(connectTexts);
  const query = useQuery(appCatalogue(realm));
  const can = useRights(realm);
  return (
    <Page title={texts.title} lead={<Link href={`/realms/${encodeSegment(realm)}/clients`}>{texts.back(realm)}</Link>}>
      <QueryResult query={query}>
        {(catalogue) => (
          <>
            {realm === 'master' && <p className="notice notice-warning">{texts.master}</p>}
            {!can('create-client') && !can('manage-clients') && <p className="notice">{texts.mayNot}</p>}
            <Steps realm={realm} catalogue={catalogue} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Steps({ realm, catalogue: { kinds, frameworks } }: { realm: string; catalogue: AppCatalogue }) {
  const texts = useTexts(connectTexts);
  const [parameters] = useSearchParams();
  // Input is preserved while the user visits another step.
  const [values, setValues] = useState(NO_VALUES);
  const firstStep = `/realms/${encodeSegment(realm)}/connect`;
  const stepPath = (query: Readonly<Record<string, string>>) => `${firstStep}?${new URLSearchParams(query)}`;
  const kindId = parameters.get('kind');
  if (kindId === OTHER) {
    return (
      <>
        <ChosenSteps links={[[texts.changeKind(texts.other[0]), firstStep]]} />
        <OtherClient realm={realm} />
      </>
    );
  }
  const kind = kinds.find(({ id }) => id === kindId);
  if (kind === undefined) {
    const shown = kinds.map(({ id }) => ({
      id,
      title: texts.kinds[id][0],
      lead: texts.kinds[id][1],
      to: stepPath({ kind: id }),
    }));
    const [title, lead] = texts.other;
    return (
      <Choices
        title={texts.whichKind}
        choices={[...shown, { id: OTHER, title, lead, to: stepPath({ kind: OTHER }) }]}
      />
    );
  }
  const kindLink = [texts.changeKind(texts.kinds[kind.id][0]), firstStep] as const;
  const fitting = frameworks.filter((framework) => framework.kind === kind.id);
  const chosen = fitting.find(({ id }) => id === parameters.get('framework'));
  if (fitting.length > 0 && chosen === undefined && parameters.get('framework') !== NONE) {
    const to = (framework: string) => stepPath({ kind: kind.id, framework });
    const shown = fitting.map(({ id, name, library }) => ({ id, title: name, lead: library, to: to(id) }));
    const [title, lead] = texts.noFramework;
    return (
      <>
        <ChosenSteps links={[kindLink]} />
        <Choices title={texts.whichFramework} choices={[...shown, { id: NONE, title, lead, to: to(NONE) }]} isDense />
      </>
    );
  }
  const frameworkLink = [
    texts.changeFramework(chosen?.name ?? texts.noFramework[0]),
    stepPath({ kind: kind.id }),
  ] as const;
  return (
    <>
      <ChosenSteps links={fitting.length === 0 ? [kindLink] : [kindLink, frameworkLink]} />
      <AppForm
        realm={realm}
        kind={kind}
        framework={chosen}
        values={values}
        onChange={(change) => setValues((before) => ({ ...before, ...change }))}
      />
    </>
  );
}

/** The completed steps: each links back to its choices. */
function ChosenSteps({ links }: { links: readonly (readonly [text: string, to: string])[] }) {
  const texts = useTexts(connectTexts);
  return (
    <nav className="chosen-steps" aria-label={texts.choices}>
      {links.map(([text, to]) => (
        <Link key={to} href={to}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
