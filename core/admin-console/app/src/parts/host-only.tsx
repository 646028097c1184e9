import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isHostAdmin, who } from '../api/who.ts';
import { useMessages } from '../messages/language.tsx';

/** Content for users with `admin` in master. Others see a notice, and the host gets no requests. */
export function HostOnly({ children }: { children: ReactNode }) {
  const { failure } = useMessages();
  const { data: me } = useQuery(who());
  if (me === undefined) return null;
  if (isHostAdmin(me)) return children;
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{failure.forbidden}</h2>
      <p>{failure.forbiddenHost}</p>
    </section>
  );
}
