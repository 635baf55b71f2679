import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import './dialog.css';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alert`: it has to be answered; a press beside it does nothing. */
  readonly kind?: 'dialog' | 'alert';
  readonly size?: 'normal' | 'wide';
}

/** A modal dialog, open as long as it is rendered. Its contents end with a `DialogFooter`. */
export function Dialog({ title, onClose, children, kind = 'dialog', size = 'normal' }: Props) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={kind === 'dialog'}
      onOpenChange={(open) => open || onClose()}
      className="dialog-backdrop"
    >
      <Modal className={`dialog-box dialog-${size}`}>
        <AriaDialog role={kind === 'alert' ? 'alertdialog' : 'dialog'} className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return <div className="dialog-footer">{children}</div>;
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is taken away. */
export function ConfirmDialog({ title, children, action, isPending, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} kind="alert" onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        <ErrorNotice error={error} />
      </div>
      <DialogFooter>
        <Button onPress={onClose} autoFocus>
          Cancel
        </Button>
        <Button look="danger" isPending={isPending} onPress={onConfirm}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
