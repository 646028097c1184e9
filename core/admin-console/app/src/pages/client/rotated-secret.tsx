import { clientsKey, ROTATED_UNTIL, revokeRotatedSecret } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { Time } from '../../parts/time.tsx';
import { useChange } from '../../parts/use-change.ts';
import type { ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

/** The previous secret, if it is still valid after a rotation by a client policy. */
export function RotatedSecret({ realm, client, tag }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const { run, isBusy, done, failure } = useChange(clientsKey(realm));
  const until = Number(client.attributes[ROTATED_UNTIL] ?? 0) * 1000;
  const isValid = until > Date.now();
  if (!isValid && done === undefined) return null;
  return (
    <section>
      <h2>{texts.rotated}</h2>
      <div className="card fields">
        {isValid && (
          <>
            <p>
              {texts.rotatedUntil} <Time at={until} />.
            </p>
            <p className="actions">
              <button
                type="button"
                className="danger"
                disabled={isBusy}
                onClick={() => run(() => revokeRotatedSecret(realm, client.id, tag), texts.rotatedRevoked)}
              >
                {texts.revokeRotated}
              </button>
            </p>
          </>
        )}
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}
