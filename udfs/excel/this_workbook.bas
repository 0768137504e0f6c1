' The add-in's own workbook: what happens when it is opened, and when another workbook is opened or comes to the front.
Option Explicit

Private WithEvents Host As Application

Private Sub Workbook_Open()
    Set Host = Application
    ' Later, as Excel takes descriptions only when it has come up.
    Application.OnTime Now, "'" & ThisWorkbook.Name & "'!valet_help.DescribeFunctions"
End Sub

Private Sub Host_WorkbookActivate(ByVal Wb As Workbook)
    DescribeFunctions
    RefreshControls
End Sub

Private Sub Host_WorkbookOpen(ByVal Wb As Workbook)
    RepairLinks Wb
End Sub

' What a button says, for a program that drives Excel: a message box would wait for somebody.
Public Function Pressed(ByVal Command As String) As String
    Dim Message As String
    Perform Command, Message
    Pressed = Message
End Function

' A workbook from another machine names the add-in by its place there, and Excel would not find the functions.
Private Sub RepairLinks(ByVal Wb As Workbook)
    Dim Links As Variant, At As Long, Place As String
    On Error GoTo Failed
    Links = Wb.LinkSources(xlExcelLinks)
    If Not IsArray(Links) Then Exit Sub
    For At = LBound(Links) To UBound(Links)
        Place = Replace(Links(At), "/", "\")
        If LCase$(Mid$(Place, InStrRev(Place, "\") + 1)) = LCase$(ThisWorkbook.Name) And _
            LCase$(Links(At)) <> LCase$(ThisWorkbook.FullName) Then
            Wb.ChangeLink Links(At), ThisWorkbook.FullName, xlExcelLinks
        End If
    Next
Failed: ' such as a protected workbook, which stays as it is
End Sub
