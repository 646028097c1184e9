import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { texts as connectTexts } from './texts.ts';
import type { ObservedSignIns } from './use-sign-ins.ts';

/** Events of an app that failed to get the tokens of a sign-in. */
const TOKEN_FAILURES = ['CODE_TO_TOKEN_ERROR', 'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR'];

/** The reasons why sign-ins failed: from events or, if the realm saves none, from the counts. */
export function SignInFailures({ signIns: { failures, counted } }: { signIns: ObservedSignIns }) {
  const texts = useTexts(connectTexts);
  return (
    <ul className="sign-in-failures" aria-live="polite">
      {failures.map(({ id, type, error = '', details, time }) => (
        <li key={id}>
          <strong>{TOKEN_FAILURES.includes(type) ? texts.failedTokens : texts.failed}</strong> <code>{error}</code>{' '}
          <Time at={time} />
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
  );
}
