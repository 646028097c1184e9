import { FailureNotice } from './failure-notice.tsx';

/** The outcome of a change: a short note of success, or the failure. Screen readers announce both. */
export function Outcome({ done, failure }: { done: string | false | undefined; failure?: Error | null | undefined }) {
  return (
    <>
      <p role="status" className="done">
        {done}
      </p>
      {failure && <FailureNotice failure={failure} />}
    </>
  );
}
