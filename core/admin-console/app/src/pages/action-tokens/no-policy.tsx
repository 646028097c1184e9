import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';

const SAMPLE = `"actionTokenPolicy": {
  "execute-actions": { "mint": true },
  "reset-credentials": { "mint": true, "maxLifespan": 3600 }
}`;

/** Shows the lines that the realm's file lacks, and who can add them. */
export function NoPolicy({ realm, title, lead }: { realm: string; title: string; lead: string }) {
  const strings = useTexts(texts);
  const { data: me } = useQuery(who());
  return (
    <section className="notice">
      <h2>{title}</h2>
      <p>{lead}</p>
      <pre className="told">{SAMPLE}</pre>
      {me !== undefined && isHostAdmin(me) && (
        <p>
          <Link href={`/realms/${encodeSegment(realm)}/file`}>{strings.openFile}</Link>
        </p>
      )}
    </section>
  );
}
