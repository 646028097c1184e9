import { useMessages } from '../messages/language.tsx';
import { session } from './session.ts';

/** For a signed-in user without any administration rights. */
export function NotAdminPage() {
  const { signIn } = useMessages();
  return (
    <main className="alone">
      <div className="card">
        <h1>{signIn.notAdmin(signIn.thisUser, session.realm)}</h1>
        <p>{signIn.notAdminLead}</p>
        <button type="button" className="primary" onClick={() => session.signOut()}>
          {signIn.out}
        </button>
      </div>
    </main>
  );
}
