import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { fileHref, realmFile } from '../../api/realm-files.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts as settingsTexts } from './texts.ts';

/** Shows users who may see files that a realm differs from its file. */
export function DriftNotice({ realm }: { realm: string }) {
  const texts = useTexts(settingsTexts);
  const { data: me } = useQuery(who());
  const { data } = useQuery({
    ...realmFile(realm),
    enabled: me !== undefined && isHostAdmin(me),
    // A realm without a file will not have one in three seconds: do not poll.
    refetchInterval: false,
    retry: false,
  });
  if (data?.state !== 'drifted') return null;
  return (
    <section className="notice notice-warning">
      <h2>{texts.drifted}</h2>
      <p>{texts.driftedLead}</p>
      <p className="actions">
        <Link href={fileHref({ realm, path: '' })}>{texts.toFile}</Link>
      </p>
    </section>
  );
}
