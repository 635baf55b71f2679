import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import './button.css';

interface Props extends Omit<ButtonProps, 'className'> {
  /** `danger`: takes something away. `quiet`: one of many, such as in a row of a table. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', ...props }: Props) {
  return <AriaButton {...props} className={`button button-${look}`} />;
}
