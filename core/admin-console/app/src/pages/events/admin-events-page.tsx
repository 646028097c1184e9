import { EventLists } from './event-lists.tsx';

export default function AdminEventsPage({ realm }: { realm: string }) {
  return <EventLists realm={realm} kind="admin" />;
}
