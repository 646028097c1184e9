import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { encodeSegment } from '../../address.ts';
import { appCatalogue, type Instructions, instructionsOf } from '../../api/apps.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { AppSettings } from './app-settings.tsx';
import { InstructionBlocks } from './instruction-blocks.tsx';
import { RealmFileEntry } from './realm-file-part.tsx';
import { SignIns } from './sign-ins.tsx';
import { texts as connectTexts } from './texts.ts';

/** The heading in the pages of frameworks, which are in English. */
const APP_HEADING = 'Write the app';

/** Instructions for the app of a client, shown right after its creation and later from its page. */
export default function ClientConnectPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(connectTexts);
  const [parameters] = useSearchParams();
  const framework = parameters.get('framework') ?? '';
  const offlineAccess = parameters.get('offline') === 'true';
  const query = useQuery(instructionsOf(realm, id, { framework, offlineAccess }));
  const isNew = (useHistoryState() as { isNew?: boolean } | null)?.isNew === true;
  const back = <Link href={`/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}`}>{texts.back}</Link>;
  return (
    <Page title={texts.title(query.data?.clientId ?? '')} lead={back}>
      {isNew && (
        <p className="notice notice-good" role="status">
          {texts.created}
        </p>
      )}
      <QueryResult query={query}>{(instructions) => <Sections {...{ realm, id, instructions, isNew }} />}</QueryResult>
    </Page>
  );
}

function Sections({
  realm,
  id,
  instructions,
  isNew,
}: {
  realm: string;
  id: string;
  instructions: Instructions;
  isNew: boolean;
}) {
  const texts = useTexts(connectTexts);
  // Show a secret at once only to the user who just created it.
  const [isShown, setShown] = useState(isNew);
  const secret = instructions.secret ?? '';
  // The section has its own heading. There may be notes above that of the page.
  const blocks = instructions.blocks.filter(({ kind, text }) => kind !== 'heading' || text !== APP_HEADING);
  return (
    <>
      <AppSettings instructions={instructions} isShown={isShown} onShow={setShown} />
      <section>
        <div className="section-head">
          <h2>{texts.app}</h2>
          <FrameworkSelect realm={realm} instructions={instructions} />
        </div>
        <InstructionBlocks blocks={blocks} secret={isShown ? '' : secret} />
      </section>
      <SignIns realm={realm} id={id} instructions={instructions} />
      <RealmFileEntry realm={realm} instructions={instructions} />
    </>
  );
}

function FrameworkSelect({ realm, instructions }: { realm: string; instructions: Instructions }) {
  const texts = useTexts(connectTexts);
  const { data } = useQuery(appCatalogue(realm));
  const [, setParameters] = useSearchParams();
  return (
    <label className="inline-select">
      {texts.framework}
      <select
        value={instructions.framework ?? 'none'}
        onChange={({ target }) =>
          setParameters(
            (before) => {
              const after = new URLSearchParams(before);
              after.set('framework', target.value);
              return after;
            },
            { replace: true, state: history.state },
          )
        }
      >
        <option value="none">{texts.noFramework}</option>
        {data?.frameworks.map(({ id, name, library }) => (
          <option key={id} value={id}>
            {name} ({library})
          </option>
        ))}
      </select>
    </label>
  );
}
