import { useMessages } from '../messages/language.tsx';

/** Shown in a tab whose sign-in another tab has taken over, if the browser does not close it. */
export function HandedOverPage() {
  const { signIn } = useMessages();
  return (
    <main className="alone">
      <div className="card">
        <h1>{signIn.again}</h1>
        <p>{signIn.handedOver}</p>
      </div>
    </main>
  );
}
