import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { hostPlugins } from '../../api/plugins.ts';
import { providersOf } from '../../api/providers.ts';
import { realmFiles } from '../../api/realm-files.ts';
import { useRights } from '../../api/rights.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useShownRealm } from '../../frame/shown-realm.ts';
import { useMessages } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { fileProblems, MAX_FILES, type OverviewProblem, pluginProblems, providerProblems } from './problems.ts';

/** The current problems that the API reports, with severity and a link to the page where each can be fixed. */
export function OverviewProblems() {
  const { overview, loading } = useMessages();
  const realm = useShownRealm();
  const { data: me } = useQuery(who());
  const isHost = me !== undefined && isHostAdmin(me);
  const plugins = useQuery({ ...hostPlugins(), enabled: isHost });
  const firstPage = { first: 0, max: MAX_FILES + 1 };
  const invalid = useQuery({ ...realmFiles({ ...firstPage, state: 'invalid' }), enabled: isHost });
  const drifted = useQuery({ ...realmFiles({ ...firstPage, state: 'drifted' }), enabled: isHost });
  const mayViewRealm = useRights(realm)('view-realm');
  const providers = useQuery({ ...providersOf(realm), enabled: mayViewRealm });
  const found: readonly OverviewProblem[] = [
    ...(plugins.data === undefined ? [] : pluginProblems(plugins.data, overview)),
    ...fileProblems(invalid.data?.files ?? [], 'invalid', overview),
    ...fileProblems(drifted.data?.files ?? [], 'drifted', overview),
    ...(providers.data === undefined
      ? []
      : providerProblems(providers.data, `/realms/${encodeSegment(realm)}`, realm, overview)),
  ];
  // Failures come before providers that still run an older version.
  const problems = [...found].sort((a, b) => Number(a.tone !== 'bad') - Number(b.tone !== 'bad'));
  const failed = [plugins, invalid, drifted, providers].find(({ error }) => error !== null);
  const isPending = providers.isPending || (isHost && [plugins, invalid, drifted].some((query) => query.isPending));
  // The API reports no problems to a user who may not view the realm.
  if (!isHost && !mayViewRealm) return null;
  return (
    <section>
      <h2>{overview.wrong}</h2>
      {failed?.error && <FailureNotice failure={failed.error} onRetry={() => void failed.refetch()} />}
      {isPending && <p className="loading">{loading}</p>}
      {!isPending && failed === undefined && problems.length === 0 && (
        <p className="nothing">
          <span>
            {isHost ? overview.nothingWrong : overview.nothingWrongRealm} <strong>{realm}</strong>.
          </span>
        </p>
      )}
      <ul className="wrongs">
        {problems.map(({ key, title, details, href, tone }) => (
          <li key={key} className={`notice notice-${tone}`}>
            <h3>{title}</h3>
            {details !== undefined && <p className="wrong-told">{details}</p>}
            <p>
              <Link href={href} aria-label={`${overview.look}: ${title}`}>
                {overview.look}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
