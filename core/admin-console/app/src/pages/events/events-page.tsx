import { EventLists } from './event-lists.tsx';

export default function EventsPage({ realm }: { realm: string }) {
  return <EventLists realm={realm} kind="user" />;
}
