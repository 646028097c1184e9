import { UserActivity } from './user-activity.tsx';
import { UserFrame } from './user-frame.tsx';

export default function UserActivityPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="activity">
      {(props) => <UserActivity {...props} />}
    </UserFrame>
  );
}
