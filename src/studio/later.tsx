/**
 * Parts that few selections need, in one file that is loaded when the first part is needed. Separate files would also
 * split the code that the parts share with the first load, which would then compress worse.
 */
export { CropOverlay } from './canvas/crop/crop-overlay.tsx';
export { addAddress, addFiles } from './canvas/gestures/add-images.ts';
export { pasteClipboard } from './canvas/gestures/paste-here.ts';
export { Grid, Guides, Rulers } from './canvas/guides/rulers.tsx';
export { ListBar } from './canvas/lists/list-bar.tsx';
export { ListHandles } from './canvas/lists/list-handles.tsx';
export { AnimationBar, PlayButton } from './canvas/motion/animation-bar.tsx';
export { MovementPath } from './canvas/motion/path.tsx';
export { Timeline } from './canvas/motion/timeline.tsx';
export { SizeDialog } from './canvas/size-dialog.tsx';
export { drawCarried } from './canvas/stage/carried-images.ts';
export { StyleBar } from './canvas/text/style-bar.tsx';
export { TimeBar } from './canvas/time-bar.tsx';
export { AlignBar } from './canvas/tools/align-bar.tsx';
export { EmptyCanvas } from './canvas/tools/empty-canvas.tsx';
export { LayerMenu } from './canvas/tools/menu.tsx';
export { TextCaret } from './panels/caret/text-caret.ts';
export { ConditionsField } from './panels/conditions/conditions-field.tsx';
export { SaveForm } from './samples/save-form.tsx';
export { RecordField } from './panels/fields/record.tsx';
export { LineControl } from './panels/values/line-control.tsx';
export { FormatList } from './panels/variables/format-list.tsx';
export { ValueItems } from './panels/variables/item-table.tsx';
export { ListFields } from './panels/variables/list-fields.tsx';
export { TableSourceFields } from './panels/variables/table-source.tsx';
export { CanvasMarks } from './comments/canvas-marks.tsx';
export { CommentsPanel } from './comments/panel.tsx';
export { ArchiveDialog } from './gallery/archive-dialog.tsx';
export { NewTemplate } from './gallery/new-template.tsx';
export { publishedLink } from './gallery/published-link.ts';
export { SelectionBar } from './gallery/selection-bar.tsx';
export { ConflictDialog } from './conflict-dialog.tsx';
export { HelpSheet } from './help-sheet.tsx';
export { Palette } from './palette/palette.tsx';
export { IconPicker } from './panels/icons/icon-picker.tsx';
export { addSelected } from './panels/layers/add-layers.ts';
export { AddPopover } from './panels/layers/add-popover.tsx';
export { DrawingThumbnail } from './panels/layers/drawing-thumbnail.tsx';
export { QuarantineNotice } from './publish/quarantine-notice.tsx';
export { PublishDialog } from './publish/publish-dialog.tsx';
export { makeBackground } from './state/background.ts';
export { moveCopiesInSizes } from './state/arrangement/copies.ts';
export { arrangeNewLayers } from './state/arrangement/new-layers.ts';
export { arrangeWrapped } from './state/arrangement/wrapped-layers.ts';
