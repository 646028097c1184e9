import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { UserEvent } from '../../api/events.ts';
import { useUserNames } from '../../api/names.ts';
import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { texts as connectTexts } from './texts.ts';
import type { ObservedSignIns } from './use-sign-ins.ts';

interface Props {
  readonly realm: string;
  readonly signIns: ObservedSignIns;
  /** The last sign-in before the page was opened, if the realm has its event. */
  readonly before: UserEvent | undefined;
  readonly isMachine: boolean;
}

/** The last sign-in to an app, with its user if the realm has the event, or a note that there was none yet. */
export function SignInState({ realm, signIns, before, isMachine }: Props) {
  const texts = useTexts(connectTexts);
  const { count, hasArrived, event, login } = signIns;
  const names = useUserNames(realm, isMachine ? [] : [event?.userId, login?.userId, before?.userId]);
  const nameOf = (shownEvent: UserEvent | undefined) =>
    isMachine ? shownEvent?.clientId : names.get(shownEvent?.userId ?? '');
  if (hasArrived) {
    const name = nameOf(event);
    return (
      <State isConnected>
        {name === undefined ? texts.arrived : texts.arrivedBy(name)} <EventLink realm={realm} event={event} />
      </State>
    );
  }
  if (login !== undefined) {
    const name = nameOf(login);
    return (
      <State>
        {name === undefined ? texts.withoutTokens : texts.withoutTokensBy(name)} <Time at={login.time} />
      </State>
    );
  }
  if (before !== undefined) {
    const name = nameOf(before);
    return (
      <>
        <State isConnected>
          {name === undefined ? texts.last : texts.lastBy(name)} <EventLink realm={realm} event={before} />
        </State>
        <p className="help">{isMachine ? texts.nextToken : texts.next}</p>
      </>
    );
  }
  if (count === undefined) return null;
  if (count === 0) return <State>{isMachine ? texts.waitingToken : texts.waiting}</State>;
  return (
    <>
      <State isConnected>{texts.lately(count)}</State>
      <p className="help">{isMachine ? texts.nextToken : texts.next}</p>
    </>
  );
}

function State({ isConnected = false, children }: { isConnected?: boolean; children: ReactNode }) {
  return (
    <div role="status" className={isConnected ? 'sign-in-state is-connected' : 'sign-in-state'}>
      <span className="pulse" aria-hidden="true" />
      <span>{children}</span>
    </div>
  );
}

function EventLink({ realm, event }: { realm: string; event: UserEvent | undefined }) {
  const texts = useTexts(connectTexts);
  if (event === undefined) return null;
  return (
    <>
      <Time at={event.time} />{' '}
      <Link href={`/realms/${encodeSegment(realm)}/events/${encodeSegment(event.id)}`}>{texts.showEvent}</Link>
    </>
  );
}
