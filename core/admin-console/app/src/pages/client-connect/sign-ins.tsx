import { useQuery } from '@tanstack/react-query';
import type { Instructions } from '../../api/apps.ts';
import { eventsOf } from '../../api/events.ts';
import { useRights } from '../../api/rights.ts';
import { usersOf } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { isComplete } from './complete-sign-in.ts';
import { SignInFailures } from './sign-in-failures.tsx';
import { SignInState } from './sign-in-state.tsx';
import { texts as connectTexts } from './texts.ts';
import { useSignIns } from './use-sign-ins.ts';

/** The number of events to search, since newer logins may lack their tokens. */
const MAX_EVENTS = 20;

/** Shows whether the app is connected: waits for a sign-in whose tokens it fetched, and explains failed ones. */
export function SignIns({ realm, id, instructions }: { realm: string; id: string; instructions: Instructions }) {
  const texts = useTexts(connectTexts);
  const can = useRights(realm);
  const { signInEvents, clientId, url } = instructions;
  const isWatching = signInEvents !== undefined && can('view-events');
  const signIns = useSignIns(realm, id, clientId, isWatching ? signInEvents : undefined);
  const recent = useQuery({
    ...eventsOf(realm, 'user', { client: clientId, type: signInEvents, first: 0, max: MAX_EVENTS }),
    // There may have been a sign-in while the user was on another page.
    enabled: isWatching,
    gcTime: 0,
    staleTime: 0,
  });
  const before = recent.data?.find((event) => isComplete(event, signInEvents ?? []));
  const { hasArrived, savesEvents, failure, count = 0 } = signIns;
  const isUsed = hasArrived || count > 0 || before !== undefined;
  const isMachine = signInEvents?.includes('CODE_TO_TOKEN') === false && signInEvents.includes('CLIENT_LOGIN');
  const hasTrial = url !== undefined && signInEvents !== undefined && !isMachine;
  const isKnown = !isWatching || (!recent.isPending && signIns.count !== undefined);
  const trialUser = useTrialUser(realm, instructions, hasTrial && isKnown && !isUsed);
  if (signInEvents === undefined) return null;
  return (
    <section>
      <h2>{isMachine ? texts.tokens : texts.signIns}</h2>
      <div className="card sign-ins">
        {isWatching ? (
          <>
            {!recent.isPending && <SignInState realm={realm} signIns={signIns} before={before} isMachine={isMachine} />}
            {!hasArrived && savesEvents === false && <p className="help">{texts.noEvents}</p>}
            {failure !== undefined && <FailureNotice failure={failure} />}
            <SignInFailures signIns={signIns} />
          </>
        ) : (
          <p>{isMachine ? texts.cannotTellToken : texts.cannotTell}</p>
        )}
        {hasTrial && (
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

/** A user to try the app with, only on a local host: elsewhere the users are real people. */
function useTrialUser(realm: string, { issuer }: Instructions, isShown: boolean): string | undefined {
  const can = useRights(realm);
  const enabled = isShown && LOOPBACK.test(new URL(issuer).hostname) && can('view-users');
  const { data = [] } = useQuery({ ...usersOf(realm, { search: '', first: 0, max: 5 }), enabled });
  return data.find(({ enabled }) => enabled)?.username;
}
