import { ClientFrame } from './client-frame.tsx';
import { TestToken } from './test-token.tsx';

/** What the tokens of a client's users hold. */
export default function ClientEvaluatePage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="evaluate">
      {({ client }) => <TestToken realm={realm} client={client} />}
    </ClientFrame>
  );
}
