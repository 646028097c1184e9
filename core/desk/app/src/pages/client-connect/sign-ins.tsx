import { useQuery } from '@tanstack/react-query';
import type { Instructions } from '../../api/apps.ts';
import { eventsOf } from '../../api/events.ts';
import { useRights } from '../../api/rights.ts';
import { usersOf } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SignInFailures } from './sign-in-failures.tsx';
import { SignInState } from './sign-in-state.tsx';
import { texts as connectTexts } from './texts.ts';
import { useSignIns } from './use-sign-ins.ts';

/** Whether the app is connected: waits for a sign-in of which it has the tokens, and says why one failed. */
export function SignIns({ realm, id, told }: { realm: string; id: string; told: Instructions }) {
  const texts = useTexts(connectTexts);
  const can = useRights(realm);
  const { firstEvent, clientId, url } = told;
  const isWatching = firstEvent !== undefined && can('view-events');
  const heard = useSignIns(realm, id, clientId, isWatching ? firstEvent : undefined);
  const before = useQuery({
    ...eventsOf(realm, 'user', { client: clientId, type: firstEvent, first: 0, max: 1 }),
    // Who comes back may have signed in meanwhile.
    ...{ enabled: isWatching, gcTime: 0, staleTime: 0 },
  });
  const trialUser = useTrialUser(realm, told);
  if (firstEvent === undefined) return null;
  const isMachine = firstEvent === 'CLIENT_LOGIN';
  const { hasArrived, savesEvents, failure, count = 0 } = heard;
  const isUsed = hasArrived || count > 0 || (before.data?.length ?? 0) > 0;
  return (
    <section>
      <h2>{isMachine ? texts.tokens : texts.signIns}</h2>
      <div className="card sign-ins">
        {isWatching ? (
          <>
            {!before.isPending && (
              <SignInState realm={realm} heard={heard} before={before.data?.[0]} isMachine={isMachine} />
            )}
            {!hasArrived && savesEvents === false && <p className="help">{texts.noEvents}</p>}
            {failure !== undefined && <FailureNotice failure={failure} />}
            <SignInFailures heard={heard} />
          </>
        ) : (
          <p>{isMachine ? texts.cannotTellToken : texts.cannotTell}</p>
        )}
        {url !== undefined && !isMachine && (
          <p className="actions">
            <a className="button" href={url} target="_blank" rel="noreferrer">
              {texts.tryIt}
            </a>
            {!isUsed && <span className="help">{texts.tryItHelp(trialUser)}</span>}
          </p>
        )}
      </div>
    </section>
  );
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** A user to try the app with, on a host that is tried out: elsewhere they are people. */
function useTrialUser(realm: string, { issuer }: Instructions): string | undefined {
  const can = useRights(realm);
  const isTried = LOOPBACK.test(new URL(issuer).hostname) && can('view-users');
  const { data = [] } = useQuery({ ...usersOf(realm, { search: '', first: 0, max: 5 }), enabled: isTried });
  return data.find(({ enabled }) => enabled)?.username;
}
