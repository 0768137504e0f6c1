' The add-in's own workbook: what happens when it is opened, and when another workbook comes to the front.
Option Explicit

Private WithEvents Host As Application

Private Sub Workbook_Open()
    Set Host = Application
    ' Later, as Excel takes descriptions only when it has come up.
    Application.OnTime Now, "'" & ThisWorkbook.Name & "'!valet_help.DescribeFunctions"
End Sub

Private Sub Host_WorkbookActivate(ByVal Wb As Workbook)
    RefreshControls
End Sub
