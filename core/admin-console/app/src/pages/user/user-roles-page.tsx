import { AssignedRoles } from './assigned-roles.tsx';
import { EffectiveRoles } from './effective-roles.tsx';
import { UserFrame } from './user-frame.tsx';

export default function UserRolesPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="roles">
      {(props) => (
        <>
          <AssignedRoles {...props} />
          <EffectiveRoles {...props} />
        </>
      )}
    </UserFrame>
  );
}
