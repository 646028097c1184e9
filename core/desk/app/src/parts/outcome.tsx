import { FailureNotice } from './failure-notice.tsx';

/** What came of changes: quietly that one is done, or why it is not. A screen reader is told either. */
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
