import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './button.tsx';
import './menu.css';

export interface Action {
  readonly label: string;
  readonly onAction: () => void;
}

/** What can be done with a row, when it is more than one thing. */
export function ActionsMenu({ of, actions }: { readonly of: string; readonly actions: readonly Action[] }) {
  return (
    <MenuTrigger>
      <Button look="quiet" aria-label={`Actions for ${of}`}>
        Actions <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="menu-popover" placement="bottom end">
        <Menu className="menu">
          {actions.map(({ label, onAction }) => (
            <MenuItem key={label} className="menu-item" onAction={onAction}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
