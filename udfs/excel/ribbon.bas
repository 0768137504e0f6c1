Attribute VB_Name = "valet_ribbon"
' The ribbon's callbacks. Python does the work (valet_xl_excel.ribbon) and says what the user is to be told.
' build_xlam.py puts in what stands in braces: the versions, and the engine's words with the default first.
Option Explicit

Private Const ADDIN_VERSION As String = "{addin_version}"
Private Const METHODS As String = "{methods}"
Private Const LEADS As String = "{leads}"
Private Const DATUMS As String = "{datums}"
Private Const DEFAULTS As String = "{defaults}"

Private Bar As IRibbonUI

Public Sub RibbonLoaded(Ribbon As IRibbonUI)
    Set Bar = Ribbon
End Sub

' Show the settings of the workbook that is now in front.
Public Sub RefreshControls()
    If Not Bar Is Nothing Then Bar.Invalidate
End Sub

' -- commands

Public Sub ScoreSheet(Control As IRibbonControl)
    Perform "score_sheet"
End Sub

Public Sub RankPairs(Control As IRibbonControl)
    Perform "rank_pairs"
End Sub

Public Sub CheckResults(Control As IRibbonControl)
    Perform "check_results"
End Sub

Public Sub UndoScoring(Control As IRibbonControl)
    Perform "undo_scoring"
End Sub

Public Sub FunctionList(Control As IRibbonControl)
    Perform "function_list"
End Sub

Public Sub About(Control As IRibbonControl)
    Perform "about"
End Sub

Private Sub Perform(Command As String)
    Dim Message As String
    If ActiveWorkbook Is Nothing Then
        Message = "No workbook is open."
    Else
        Message = Answer(Command)
    End If
    If Message <> "" Then MsgBox Message, vbInformation, "Bridge"
    ' What the status bar says is read, then the bar is Excel's again.
    Application.OnTime Now + TimeSerial(0, 0, 10), "'" & ThisWorkbook.Name & "'!valet_ribbon.ClearStatusBar"
End Sub

Public Sub ClearStatusBar()
    Application.StatusBar = False
End Sub

Private Function Answer(Command As String) As String
    On Error GoTo Failed
    XLPy.SetAttr XLPy.Module("xlwings._xlwindows"), "BOOK_CALLER", ActiveWorkbook
    If Command = "about" Then
        Answer = XLPy.Str(XLPy.Call(XLPy.Module("valet_xl_excel.ribbon"), Command, _
            XLPy.Tuple(ADDIN_VERSION, XLWINGS_VERSION)))
        If LastFailure <> "" Then Answer = Answer & vbLf & "A function failed: " & LastFailure
    Else
        Answer = XLPy.Str(XLPy.Call(XLPy.Module("valet_xl_excel.ribbon"), Command))
    End If
    Exit Function
Failed:
    Answer = "Python did not answer: " & LastLine(Err.Description) & vbLf & vbLf & _
        "In a terminal, valet-xl addin status tells what is missing. Add-in " & ADDIN_VERSION & "."
End Function

' -- settings, which the workbook remembers under hidden names

Public Sub WordShown(Control As IRibbonControl, ByRef Index As Variant)
    Dim Words() As String, Kept As String, At As Long
    Words = Split(WordsOf(Control.Tag), ",")
    Kept = Remembered(Control.Tag)
    Index = 0
    For At = 0 To UBound(Words)
        If Words(At) = DefaultOf(Control.Tag) Then Index = At
    Next
    For At = 0 To UBound(Words)
        If Words(At) = Kept Then Index = At
    Next
End Sub

Public Sub WordChosen(Control As IRibbonControl, ItemId As String, Index As Integer)
    Remember Control.Tag, "=""" & Split(WordsOf(Control.Tag), ",")(Index) & """"
End Sub

Public Sub CloudShown(Control As IRibbonControl, ByRef Pressed As Variant)
    Pressed = (Remembered(Control.Tag) = "TRUE")
End Sub

Public Sub CloudChosen(Control As IRibbonControl, Pressed As Boolean)
    Remember Control.Tag, IIf(Pressed, "=TRUE", "=FALSE")
End Sub

Private Function WordsOf(Setting As String) As String
    Select Case Setting
        Case "method": WordsOf = METHODS
        Case "lead": WordsOf = LEADS
        Case "datum": WordsOf = DATUMS
    End Select
End Function

Private Function DefaultOf(Setting As String) As String
    Dim Pair As Variant
    For Each Pair In Split(DEFAULTS, ",")
        If Split(Pair, "=")(0) = Setting Then DefaultOf = Split(Pair, "=")(1)
    Next
End Function

Private Function Remembered(Setting As String) As String
    If ActiveWorkbook Is Nothing Then Exit Function
    On Error Resume Next ' a workbook that remembers nothing has no such name
    Remembered = Replace(Mid$(ActiveWorkbook.Names("valet_xl_" & Setting).RefersTo, 2), """", "")
End Function

Private Sub Remember(Setting As String, Formula As String)
    If ActiveWorkbook Is Nothing Then Exit Sub
    On Error GoTo Failed
    ActiveWorkbook.Names.Add Name:="valet_xl_" & Setting, RefersTo:=Formula, Visible:=False
    Exit Sub
Failed:
    MsgBox "This workbook does not take the setting: " & Err.Description, vbInformation, "Bridge"
    RefreshControls
End Sub
