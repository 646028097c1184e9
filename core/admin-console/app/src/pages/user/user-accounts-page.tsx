import { LinkedAccounts } from './linked-accounts.tsx';
import { UserFrame } from './user-frame.tsx';

export default function UserAccountsPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="linked-accounts">
      {(props) => <LinkedAccounts {...props} />}
    </UserFrame>
  );
}
