import { type FormEvent, useEffect, useState } from 'react';
import { useMessages } from '../messages/language.tsx';
import { readLastRealm } from './last-realm.ts';
import { type Start, session } from './session.ts';

type SignedOut = Extract<Start, { state: 'signed out' }>;

/** Asks for the realm to sign in to; the host itself asks for the user. */
export function SignInPage({ start }: { start: SignedOut }) {
  const { signIn } = useMessages();
  const [realm, setRealm] = useState(session.realm || readLastRealm());
  const [state, setState] = useState<Start>(start);
  useEffect(() => {
    document.title = `${signIn.title} · Keyhost`;
  }, [signIn]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ state: 'leaving' });
    setState(await session.signIn(realm.trim()));
  };
  const message = state.state === 'signed out' ? messageOf(state, signIn) : undefined;
  const isLeaving = state.state === 'leaving';
  return (
    <main className="alone">
      <form className="card sign-in" onSubmit={(event) => void submit(event)}>
        <p className="brand">
          <span className="brand-mark" aria-hidden="true" />
          Keyhost
        </p>
        <h1>{signIn.title}</h1>
        {message !== undefined && (
          <p className="notice" role="status">
            {message}
          </p>
        )}
        <p>{signIn.lead}</p>
        <label className="field">
          {signIn.realm}
          <input
            value={realm}
            onChange={({ target }) => setRealm(target.value)}
            required
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="realm-help"
          />
        </label>
        <p className="help" id="realm-help">
          {signIn.realmHelp}
        </p>
        <button type="submit" className="primary" disabled={isLeaving}>
          {isLeaving ? signIn.leaving : signIn.button}
        </button>
      </form>
    </main>
  );
}

function messageOf(
  { reason, hostMessage = '' }: SignedOut,
  texts: ReturnType<typeof useMessages>['signIn'],
): string | undefined {
  if (reason === 'asked') return texts.asked;
  if (reason === 'unknown realm') return texts.unknownRealm(session.realm);
  if (reason === 'refused') return texts.refused(hostMessage);
  return reason === 'away' ? texts.away : undefined;
}
