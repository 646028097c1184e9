import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Instructions } from '../../api/apps.ts';
import {
  driftOf,
  fileHref,
  type Plan,
  POLL_INTERVAL_MS,
  type RealmFileState,
  realmFile,
} from '../../api/realm-files.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { Code } from './instruction-blocks.tsx';
import { texts as connectTexts } from './texts.ts';

/**
 * The client as an entry for the realm's file, and whether the file already has this entry. Edits of other clients do
 * not count.
 */
export function RealmFileEntry({ realm, instructions }: { realm: string; instructions: Instructions }) {
  const texts = useTexts(connectTexts);
  const { data: me } = useQuery(who());
  const isHost = me !== undefined && isHostAdmin(me);
  const { data: file } = useQuery({
    ...realmFile(realm),
    enabled: isHost,
    // A realm without a file will not have one in three seconds: stop polling.
    refetchInterval: ({ state }) => state.data !== null && POLL_INTERVAL_MS,
  });
  const drift = useQuery({ ...driftOf(realm, file?.version), enabled: file?.state === 'drifted' });
  // Only admins of the host can see files.
  if (file === null) return null;
  const fileState = file && stateInFile(file, drift.data, instructions.clientId);
  const { clients, clientScopes = [] } = instructions.realmFile;
  const entries = [
    ...clientScopes.map((entry) => ['clientScopes', entry] as const),
    ...clients.map((entry) => ['clients', entry] as const),
  ];
  return (
    <section>
      <h2>{texts.realmFile}</h2>
      {file && fileState && (
        <p className={fileState === 'same' ? 'notice' : 'notice notice-warning'}>
          {texts.inFile[fileState](file.path)} <Link href={fileHref(file)}>{texts.showFile}</Link>
        </p>
      )}
      {fileState !== 'same' && (
        <details className="card">
          <summary>{texts.fragment}</summary>
          <p className="help">{texts.fragmentLead(realm)}</p>
          {entries.map(([list, entry], index) => {
            const text = JSON.stringify(entry, undefined, 2);
            return (
              <Fragment key={list}>
                <p>
                  {texts.entryOf} <code>{list}</code>:
                </p>
                <Code text={text} shown={text} at={instructions.blocks.length + index} />
              </Fragment>
            );
          })}
        </details>
      )}
    </section>
  );
}

/** The state of this client in the file. Undefined if the file has mistakes, or more edits than are listed. */
function stateInFile({ realm, state }: RealmFileState, drift: Plan | undefined, clientId: string) {
  if (state === 'applied') return 'same';
  const plan = drift?.realms.find((one) => one.realm === realm);
  if (state !== 'drifted' || plan === undefined) return undefined;
  const edits = plan.edits.filter(({ path: [list, name] }) => list === 'clients' && name === clientId);
  if (edits.some(({ operation }) => operation === 'created')) return 'absent';
  if (edits.length > 0) return 'edited';
  return plan.left > 0 ? undefined : 'same';
}
