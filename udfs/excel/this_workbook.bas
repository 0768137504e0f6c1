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
    RepairNames Wb
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

' Excel on a Mac or on the web saves functions of its add-ins with a mark before their names, which Excel here does not
' know. Range.Replace would be shorter, but the user's dialog would remember it, and dynamic arrays would become
' formulas of one cell. In Protected View no workbook counts as opened.
Private Sub RepairNames(ByVal Wb As Workbook)
    Dim Sheet As Worksheet, Named As Name, WasSaved As Boolean, Count As Long
    Dim Updating As Boolean, Events As Boolean, Alerts As Boolean
    If Wb.ReadOnly Then Exit Sub
    WasSaved = Wb.Saved
    Updating = Application.ScreenUpdating
    Events = Application.EnableEvents
    Alerts = Application.DisplayAlerts
    Application.ScreenUpdating = False
    Application.EnableEvents = False
    Application.DisplayAlerts = False
    For Each Named In Wb.Names
        Count = Count + RepairedName(Named)
    Next
    For Each Sheet In Wb.Worksheets
        Count = Count + RepairedCells(Sheet)
    Next
    If Count > 0 Then Wb.Saved = WasSaved ' closing does not ask for the sake of this
    Application.DisplayAlerts = Alerts
    Application.EnableEvents = Events
    Application.ScreenUpdating = Updating
End Sub

Private Function RepairedName(ByVal Named As Name) As Long
    On Error GoTo Failed
    If Not IsMarked(Named.RefersTo) Then Exit Function
    Named.RefersTo = Unmarked(Named.RefersTo)
    RepairedName = 1
Failed:
End Function

Private Function RepairedCells(ByVal Sheet As Worksheet) As Long
    Dim Area As Range, Formulas As Variant, Row As Long, Column As Long, Count As Long
    On Error GoTo Failed ' such as a sheet without formulas
    If Sheet.ProtectContents Then Exit Function
    For Each Area In Sheet.UsedRange.SpecialCells(xlCellTypeFormulas).Areas
        Formulas = Area.Formula
        If IsArray(Formulas) Then
            For Row = 1 To UBound(Formulas, 1)
                For Column = 1 To UBound(Formulas, 2)
                    If IsMarked(Formulas(Row, Column)) Then Count = Count + RepairedCell(Area.Cells(Row, Column))
                Next
            Next
        ElseIf IsMarked(Formulas) Then
            Count = Count + RepairedCell(Area.Cells(1, 1))
        End If
    Next
Failed:
    RepairedCells = Count
End Function

' The cell is an Object, as Excel before 2021 has no Formula2 and would not compile it.
Private Function RepairedCell(ByVal Cell As Object) As Long
    On Error Resume Next ' what Excel refuses stays, such as an array formula of more than 255 characters
    If Not IsMarked(Cell.Formula) Then Exit Function ' the array was repaired with another of its cells
    If Cell.HasArray Then
        Cell.CurrentArray.FormulaArray = Unmarked(Cell.FormulaArray)
    Else
        Cell.Formula2 = Unmarked(Cell.Formula2)
        If Err.Number <> 0 Then Cell.Formula = Unmarked(Cell.Formula)
    End If
    If Not IsMarked(Cell.Formula) Then RepairedCell = 1
End Function

Private Function IsMarked(ByVal Formula As String) As Boolean
    IsMarked = Unmarked(Formula) <> Formula
End Function

' A formula with the plain names; what is in quotation marks stays.
Private Function Unmarked(ByVal Formula As String) As String
    Dim Parts As Variant, At As Long
    Unmarked = Formula
    If InStr(1, Formula, "_xldudf_", vbTextCompare) = 0 Then Exit Function
    Parts = Split(Formula, """")
    For At = 0 To UBound(Parts) Step 2
        Parts(At) = WithoutMarks(CStr(Parts(At)))
    Next
    Unmarked = Join(Parts, """")
End Function

' Each mark goes that is before the name of one of our functions. If their add-in was given a namespace, such as BRIDGE,
' that goes too: Excel saves _xldudf_BRIDGE_VALET_IAF.
Private Function WithoutMarks(ByVal Text As String) As String
    Dim Start As Long, Ends As Long, Name As String
    Start = InStr(1, Text, "_xldudf_", vbTextCompare)
    Do While Start > 0
        Ends = InStr(Start, Text, "(")
        If Ends = 0 Then Exit Do
        Name = OwnName(Mid$(Text, Start + 8, Ends - Start - 8))
        If Name <> "" Then Text = Left$(Text, Start - 1) & Name & Mid$(Text, Ends)
        Start = InStr(Start + 1, Text, "_xldudf_", vbTextCompare)
    Loop
    WithoutMarks = Text
End Function

' The name of our function at the end of a marked name, if it is one of ours, alone or after a namespace and a _.
Private Function OwnName(ByVal Marked As String) As String
    Dim At As Long
    For At = 1 To Len(Marked)
        If Not Mid$(Marked, At, 1) Like "[A-Za-z0-9_.]" Then Exit Function ' two names
    Next
    At = InStr(1, "_" & Marked, "_VALET_", vbTextCompare)
    Do While At > 0
        If IsOwn(Mid$(Marked, At)) Then
            OwnName = Mid$(Marked, At)
            Exit Function
        End If
        At = InStr(At + 1, "_" & Marked, "_VALET_", vbTextCompare)
    Loop
End Function

Private Function IsOwn(ByVal Name As String) As Boolean
    Select Case UCase$(Name)
{function_names}
    End Select
End Function
