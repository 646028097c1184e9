import { useMessages } from '../messages/language.tsx';

/** What is left to see of a tab that another one was signed in from, where the browser does not close it. */
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
