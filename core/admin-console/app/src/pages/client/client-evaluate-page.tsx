import { ClientFrame } from './client-frame.tsx';
import { TestToken } from './test-token.tsx';

/** Shows the tokens that users of a client would get. */
export default function ClientEvaluatePage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="evaluate">
      {({ client }) => <TestToken realm={realm} client={client} />}
    </ClientFrame>
  );
}
