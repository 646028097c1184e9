import { UserFrame } from './user-frame.tsx';
import { UserGroups } from './user-groups.tsx';

export default function UserGroupsPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="groups">
      {(props) => <UserGroups {...props} />}
    </UserFrame>
  );
}
