import { useState, useSyncExternalStore } from 'react';
import { useMessages } from '../messages/language.tsx';
import { session } from './session.ts';

/** Shows that the session is over, above an otherwise unchanged page. */
export function SessionEnded() {
  const { signIn } = useMessages();
  const hasEnded = useSyncExternalStore(session.onChange, () => session.hasEnded);
  const [message, setMessage] = useState<string>();
  if (!hasEnded) return null;
  const again = async () => {
    try {
      setMessage((await session.signInAgain()) ? undefined : signIn.againOther);
    } catch (error) {
      setMessage(signIn.refused(String(error)));
    }
  };
  return (
    <section className="notice notice-warning" role="alert">
      <p>{signIn.againLead}</p>
      {message !== undefined && <p>{message}</p>}
      <p className="actions">
        <button type="button" className="primary" onClick={() => void again()}>
          {signIn.again}
        </button>
        {message === signIn.againOther && (
          <button type="button" onClick={() => location.reload()}>
            {signIn.reload}
          </button>
        )}
      </p>
    </section>
  );
}
