import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/language.tsx';
import { FailureNotice } from './failure-notice.tsx';

/** The state of a request: its data, a loading text, or its failure. Earlier data stays visible next to a failure. */
export function QueryResult<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const { loading } = useMessages();
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error !== null && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {isPending && (
        <p className="loading" role="status">
          {loading}
        </p>
      )}
    </>
  );
}
