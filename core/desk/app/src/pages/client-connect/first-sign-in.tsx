import { Link } from 'wouter';
import { segment } from '../../address.ts';
import type { Instructions } from '../../api/apps.ts';
import { useUserNames } from '../../api/names.ts';
import { useRights } from '../../api/rights.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Time } from '../../parts/time.tsx';
import { texts as connectTexts } from './texts.ts';
import { type HeardSignIns, useFirstSignIn } from './use-first-sign-in.ts';

/** Waits for the first sign-in to the app, and says why one failed. */
export function FirstSignIn({ realm, id, told }: { realm: string; id: string; told: Instructions }) {
  const texts = useTexts(connectTexts);
  const can = useRights(realm);
  const isWatching = told.firstEvent !== undefined && can('view-events');
  const heard = useFirstSignIn(realm, id, told.clientId, isWatching);
  if (told.firstEvent === undefined) return null;
  const isMachine = told.firstEvent === 'CLIENT_LOGIN';
  return (
    <section>
      <h2>{isMachine ? texts.firstToken : texts.firstSignIn}</h2>
      <div className="card first-sign-in">
        {isWatching ? (
          <Heard realm={realm} heard={heard} isMachine={isMachine} />
        ) : (
          <p>{isMachine ? texts.cannotTellToken : texts.cannotTell}</p>
        )}
        {told.url !== undefined && !isMachine && (
          <p className="actions">
            <a className="button" href={told.url} target="_blank" rel="noreferrer">
              {texts.tryIt}
            </a>
            <span className="help">{texts.tryItHelp}</span>
          </p>
        )}
      </div>
    </section>
  );
}

function Heard({ realm, heard, isMachine }: { realm: string; heard: HeardSignIns; isMachine: boolean }) {
  const texts = useTexts(connectTexts);
  const { count, hasArrived, event, failures, counted, savesEvents, failure } = heard;
  const names = useUserNames(realm, isMachine ? [] : [event?.userId]);
  const name = isMachine ? event?.clientId : names.get(event?.userId ?? '');
  return (
    <>
      <div role="status" className={hasArrived ? 'sign-in-state has-arrived' : 'sign-in-state'}>
        <span className="pulse" aria-hidden="true" />
        {!hasArrived ? (
          isMachine ? (
            texts.waitingToken
          ) : (
            texts.waiting
          )
        ) : event === undefined ? (
          texts.arrived
        ) : (
          <span>
            {name === undefined ? texts.arrived : texts.arrivedBy(name)} <Time at={event.time} />{' '}
            <Link href={`/realms/${segment(realm)}/events/${segment(event.id)}`}>{texts.showEvent}</Link>
          </span>
        )}
      </div>
      {!hasArrived && count !== undefined && count > 0 && <p className="help">{texts.before(count)}</p>}
      {!hasArrived && savesEvents === false && <p className="help">{texts.noEvents}</p>}
      {failure !== undefined && <FailureNotice failure={failure} />}
      {!hasArrived && (
        <ul className="sign-in-failures" aria-live="polite">
          {failures.map(({ id, error = '', details, time }) => (
            <li key={id}>
              <strong>{texts.failed}</strong> <code>{error}</code> <Time at={time} />
              <p>{texts.why(error, details?.redirect_uri)}</p>
            </li>
          ))}
          {failures.length === 0 &&
            counted.map((error) => (
              <li key={error}>
                <strong>{texts.failed}</strong> <code>{error}</code>
                <p>{texts.why(error, undefined)}</p>
              </li>
            ))}
        </ul>
      )}
    </>
  );
}
