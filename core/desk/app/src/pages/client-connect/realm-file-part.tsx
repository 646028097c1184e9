import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Instructions } from '../../api/apps.ts';
import { fileHref, realmFiles } from '../../api/realm-files.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { Code } from './instruction-blocks.tsx';
import { texts as connectTexts } from './texts.ts';

const MAX = 20;

/** The client as the realm file has it: a realm whose file lacks it has drifted, and this says so. */
export function RealmFilePart({ realm, told }: { realm: string; told: Instructions }) {
  const texts = useTexts(connectTexts);
  const { data: me } = useQuery(who());
  const isHost = me !== undefined && isHostAdmin(me);
  const { data } = useQuery({ ...realmFiles({ search: realm, first: 0, max: MAX }), enabled: isHost });
  const file = data?.files.find((one) => one.realm === realm);
  // Nobody but admins of the host knows of files.
  if (isHost && data !== undefined && file === undefined) return null;
  const { clients, clientScopes = [] } = told.realmFile;
  const text = JSON.stringify({ ...(clientScopes.length === 0 ? {} : { clientScopes }), clients }, undefined, 2);
  return (
    <section>
      <h2>{texts.realmFile}</h2>
      {file?.state === 'drifted' && (
        <p className="notice notice-warning">
          {texts.drifted(file.path)} <Link href={fileHref(file)}>{texts.showFile}</Link>
        </p>
      )}
      <details className="card">
        <summary>{texts.fragment}</summary>
        <p className="help">{texts.fragmentLead(realm)}</p>
        <Code text={text} shown={text} at={told.blocks.length} />
      </details>
    </section>
  );
}
